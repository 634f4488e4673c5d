"""How the tables of results and of speed are measured."""
