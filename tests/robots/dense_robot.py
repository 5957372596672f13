"""Rigid dynamics of a URDF by other means: read with xml.etree, placed with 4 × 4 matrices, forces by virtual power.

Nothing is shared with flexarm: world-frame Jacobians of every mass centre, accelerations by the plain kinematics of
points, and τ = Σ J_vᵀ m (a − g) + J_ωᵀ (I α + ω × I ω).
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

GRAVITY = np.array([0.0, 0.0, -9.81])


def _frame(element) -> np.ndarray:
    frame = np.eye(4)
    origin = element.find("origin") if element is not None else None
    if origin is not None:
        frame[:3, 3] = np.array((origin.get("xyz") or "0 0 0").split(), float)
        angles = np.array((origin.get("rpy") or "0 0 0").split(), float)
        frame[:3, :3] = Rotation.from_euler("xyz", angles).as_matrix()
    return frame


@dataclass
class _Body:
    mass: float
    centre: np.ndarray
    inertia: np.ndarray


class DenseRobot:
    """A robot whose joints are named as in its file; only joints with one coordinate or none."""

    def __init__(self, text: str) -> None:
        root = ET.fromstring(text)
        self.bodies = {link.get("name"): self._body(link) for link in root.findall("link")}
        self.joints = root.findall("joint")
        self.names = [joint.get("name") for joint in self.joints if joint.get("type") != "fixed"]

    @staticmethod
    def _body(link) -> _Body:
        inertial = link.find("inertial")
        if inertial is None:
            return _Body(0.0, np.zeros(3), np.zeros((3, 3)))
        frame, tensor = _frame(inertial), inertial.find("inertia")
        I = np.zeros((3, 3))
        for a, first in enumerate("xyz"):
            for b, second in enumerate("xyz"):
                I[a, b] = float(tensor.get(f"i{min(first, second)}{max(first, second)}"))
        return _Body(float(inertial.find("mass").get("value")), frame[:3, 3], frame[:3, :3] @ I @ frame[:3, :3].T)

    def walk(self, q: dict, v: dict, a: dict):
        """For every link: frame, Jacobian of its origin and of its rotation, ω, α, velocity and acceleration of it."""
        n, zero = len(self.names), np.zeros(3)
        children = {joint.find("child").get("link") for joint in self.joints}
        root = next(name for name in self.bodies if name not in children)
        known = {root: (np.eye(4), np.zeros((3, n)), np.zeros((3, n)), zero, zero, zero, zero)}
        pending = list(self.joints)
        while pending:
            joint = next(each for each in pending if each.find("parent").get("link") in known)
            pending.remove(joint)
            T, Jv, Jw, w, alpha, vo, ao = known[joint.find("parent").get("link")]
            T = T @ _frame(joint)
            r = T[:3, 3] - known[joint.find("parent").get("link")][0][:3, 3]
            Jv, Jw = Jv + np.cross(Jw.T, r).T, Jw.copy()
            vo, ao = vo + np.cross(w, r), ao + np.cross(alpha, r) + np.cross(w, np.cross(w, r))
            if joint.get("type") != "fixed":
                name = joint.get("name")
                c = self.names.index(name)
                axis = joint.find("axis")
                e = np.array((axis.get("xyz") if axis is not None else "1 0 0").split(), float)
                e /= np.linalg.norm(e)
                move = np.eye(4)
                u = T[:3, :3] @ e
                if joint.get("type") == "prismatic":
                    move[:3, 3] = q[name] * e
                    s = q[name] * u
                    Jv = Jv + np.cross(Jw.T, s).T
                    Jv[:, c] += u
                    ao = ao + np.cross(alpha, s) + np.cross(w, np.cross(w, s)) + 2 * np.cross(w, u) * v[name]
                    ao = ao + u * a[name]
                    vo = vo + np.cross(w, s) + u * v[name]
                else:
                    move[:3, :3] = Rotation.from_rotvec(q[name] * e).as_matrix()
                    Jw[:, c] += u
                    alpha = alpha + np.cross(w, u) * v[name] + u * a[name]
                    w = w + u * v[name]
                T = T @ move
            known[joint.find("child").get("link")] = (T, Jv, Jw, w, alpha, vo, ao)
        return known

    def inverse(self, q: dict, v: dict, a: dict, gravity=GRAVITY) -> np.ndarray:
        """Forces τ in the order of `names`."""
        tau = np.zeros(len(self.names))
        for name, (T, Jv, Jw, w, alpha, _, ao) in self.walk(q, v, a).items():
            body = self.bodies[name]
            c, I = T[:3, :3] @ body.centre, T[:3, :3] @ body.inertia @ T[:3, :3].T
            acceleration = ao + np.cross(alpha, c) + np.cross(w, np.cross(w, c)) - gravity
            tau += (Jv + np.cross(Jw.T, c).T).T @ (body.mass * acceleration)
            tau += Jw.T @ (I @ alpha + np.cross(w, I @ w))
        return tau

    def mass_matrix(self, q: dict) -> np.ndarray:
        """M in the order of `names`."""
        M = np.zeros((len(self.names),) * 2)
        still = dict.fromkeys(self.names, 0.0)
        for name, (T, Jv, Jw, *_) in self.walk(q, still, still).items():
            body = self.bodies[name]
            c, I = T[:3, :3] @ body.centre, T[:3, :3] @ body.inertia @ T[:3, :3].T
            J = Jv + np.cross(Jw.T, c).T
            M += body.mass * J.T @ J + Jw.T @ I @ Jw
        return M
