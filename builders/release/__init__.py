"""What stands between a built artifact and a release: checks, versions, what changed, and the way to the Hub."""
