"""From a record to a prompt per condition, and from a reply to an outcome, one file per family."""
