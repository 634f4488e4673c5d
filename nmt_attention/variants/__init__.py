"""What settings name beside the course's own parts: other attentions, decoders and losses, and the Transformer."""
