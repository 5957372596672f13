// The solid arm's triangles, made of lofts as flexarm/report/arm/lofts.py makes them.

// What casts no ghost comes after what does, and what is too small for a shadow last.
const LOFT_ORDER = ["beam", "body", "payload", "base", "joint", "trim"];

// Corners of all lofts in one row: place and normal in the axes of a bone, the bone, a colour, and whether it is a beam.
function tessellate(solid, colourOf) {
  const lofts = [...solid.lofts].sort((a, b) => LOFT_ORDER.indexOf(a.group) - LOFT_ORDER.indexOf(b.group));
  const counts = lofts.map((loft) => (loft.rings.length * solid.outlines[loft.outline].length) / 4);
  const total = counts.reduce((sum, each) => sum + each, 0);
  const mesh = {
    places: new Float32Array(3 * total),
    normals: new Float32Array(3 * total),
    bones: new Uint16Array(total),
    colours: new Uint8Array(4 * total),
    faces: [],
    upTo: {}, // how many numbers of faces there are up to the last of a group
  };
  let start = 0;
  lofts.forEach((loft, k) => {
    const outline = solid.outlines[loft.outline];
    const colour = colourOf(loft);
    addLoft(mesh, loft, outline, start);
    for (const group of LOFT_ORDER.slice(LOFT_ORDER.indexOf(loft.group))) mesh.upTo[group] = mesh.faces.length;
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
      // where an outline has shrunk to a point one of the two has no area
      if (before[2] || before[3]) mesh.faces.push(a + near, b + near, b + far);
      if (loft.rings[k][2] || loft.rings[k][3]) mesh.faces.push(a + near, b + far, a + far);
    }
  });
}
