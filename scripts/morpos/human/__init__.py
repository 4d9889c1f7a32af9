"""What people said of translations: judgments, and one human score a system made from them."""
