"""The commands of the console, one a file, each loaded when it is named."""
