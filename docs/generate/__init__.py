"""What the site of documentation has beside the pages of docs/ (mkdocs.yml)."""
