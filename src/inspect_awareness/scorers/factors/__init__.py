"""Which cue in its situation an aware subject cites: asked, read, recorded."""
