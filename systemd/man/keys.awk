# Makes the part of activityd.conf(5) that describes the keys out of the sample configuration: there
# each key, commented out and with its default, stands below its description.

/^\[/ {
  if (section) print ".El"
  section = substr($0, 2, length($0) - 2)
  print ".Sh [" toupper(section) "]"
  print ".Bl -tag -width Ds"
  text = ""
  next
}

# Before the first section the sample says what the page says by itself.
!section { next }

/^# / {
  line = substr($0, 3)
  # A sentence begins a line.
  gsub(/\. /, ".\n", line)
  text = text (text == "" ? "" : "\n") line
  next
}

/^#[A-Za-z]+=/ {
  split(substr($0, 2), part, "=")
  print ".It Cm " part[1] "=" (part[2] == "" ? "" : " Ns Ar " part[2])
  if (text != "") print text
  text = ""
}

END { print ".El" }
