"""Figures computed from stored outcomes."""
