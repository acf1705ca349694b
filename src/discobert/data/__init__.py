"""Values: frozen, validated once, standard library only."""
