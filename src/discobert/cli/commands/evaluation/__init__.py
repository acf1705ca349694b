"""Commands that measure: systems over corpora, the analyser, cuts, costs."""
