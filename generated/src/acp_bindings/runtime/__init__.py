# Part of acpgen's runtime, copied as it is. Do not edit.
