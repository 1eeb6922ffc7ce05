"""Write the page that a data set shows on the Hub, from its manifest and record classes."""
