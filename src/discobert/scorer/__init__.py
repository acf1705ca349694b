"""The salience of every unit of an analysed text."""
