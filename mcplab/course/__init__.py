"""The course: lesson sources, the build, and the learner's folder."""

from __future__ import annotations

from mcplab.course.catalog import CATALOG, COURSE_VERSION, Entry
from mcplab.course.curriculum import CURRICULUM, Item
from mcplab.course.folder import FolderError, Report, prepare, reset, shipped

__all__ = [
    "CATALOG",
    "COURSE_VERSION",
    "CURRICULUM",
    "Entry",
    "FolderError",
    "Item",
    "Report",
    "prepare",
    "reset",
    "shipped",
]
