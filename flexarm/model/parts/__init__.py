"""The parts of an arm: links, joints, beams, sections, materials, drives and how they are modelled."""
