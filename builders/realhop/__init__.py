"""REALHOP: questions rebound to invented entities, with complete competing paths (sections 4, I.1 to I.3)."""
