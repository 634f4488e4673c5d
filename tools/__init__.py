"""What teachers and maintainers use besides the package; each file says how to call it."""
