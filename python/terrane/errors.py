"""What Terrane raises. That there is no path is not an error: path.status says so."""


class Error(Exception):
    """Something that Terrane refuses; the message says why, and what would be right.

    code   which kind of mistake: 'bad_value', 'unknown_name', 'cannot_open', 'bad_header', 'bad_letter', 'truncated', 'trailing',
           'too_large', 'unsupported' or 'cancelled'
    file   the file to blame; empty where there is none
    line   its line, counted from 1; 0 where no line is to blame
    """

    def __init__(self, message="", code="bad_value", file="", line=0):
        super().__init__(message)
        self.code = code
        self.file = file
        self.line = line


class BadValue(Error, ValueError):
    """A value or a name that cannot be. Also a ValueError."""


class FileError(Error, OSError):
    """A file that cannot be read or written, or does not hold what it should. Also an OSError."""
