// The solid arm's triangles, made of lofts as flexarm/report/arm/lofts.py makes them.

// Corners of all lofts in one row: place and normal in the axes of a bone, the bone, a colour, and whether it is a beam.
function tessellate(solid, colourOf) {
  const counts = solid.lofts.map((loft) => (loft.rings.length * solid.outlines[loft.outline].length) / 4);
  const total = counts.reduce((sum, each) => sum + each, 0);
  const mesh = {
    places: new Float32Array(3 * total),
    normals: new Float32Array(3 * total),
    bones: new Uint16Array(total),
    colours: new Uint8Array(4 * total),
    faces: [],
  };
  let start = 0;
  solid.lofts.forEach((loft, k) => {
    const outline = solid.outlines[loft.outline];
    const colour = colourOf(loft);
    addLoft(mesh, loft, outline, start);
    for (let v = start; v < start + counts[k]; v++) {
      mesh.bones[v] = loft.rings[Math.floor(((v - start) * 4) / outline.length)][0];
      mesh.colours.set(colour, 4 * v);
    }
    start += counts[k];
  });
  mesh.faces = total < 65536 ? Uint16Array.from(mesh.faces) : Uint32Array.from(mesh.faces);
  return mesh;
}

function addLoft(mesh, loft, outline, start) {
  const count = outline.length / 4;
  const frame = loft.frame || [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const origin = loft.origin || [0, 0, 0];
  loft.rings.forEach(([, x, scaleY, scaleZ, tilt], k) => {
    const [lean, rest] = [Math.sin(tilt), Math.cos(tilt)];
    for (let i = 0; i < count; i++) {
      const [y, z, ny, nz] = outline.slice(4 * i, 4 * i + 4);
      // the normal of a scaled outline is scaled the other way
      const [across, beside] = [ny * (scaleZ || 1), nz * (scaleY || 1)];
      const size = Math.hypot(across, beside) || 1;
      const place = [x, scaleY * y, scaleZ * z];
      const normal = [lean, (rest * across) / size, (rest * beside) / size];
      const v = 3 * (start + k * count + i);
      for (let r = 0; r < 3; r++) {
        mesh.places[v + r] = origin[r] + frame[3 * r] * place[0] + frame[3 * r + 1] * place[1] + frame[3 * r + 2] * place[2];
        mesh.normals[v + r] = frame[3 * r] * normal[0] + frame[3 * r + 1] * normal[1] + frame[3 * r + 2] * normal[2];
      }
    }
    const before = loft.rings[k - 1];
    if (!k || loft.rings[k].slice(0, 4).every((value, r) => value === before[r])) return;
    for (let a = 0; a < count; a++) {
      const b = (a + 1) % count;
      const [near, far] = [start + (k - 1) * count, start + k * count];
      mesh.faces.push(a + near, b + near, b + far, a + near, b + far, a + far);
    }
  });
}
