"""Annotation layers: what each segment is made of. A layer never knows the metrics."""
