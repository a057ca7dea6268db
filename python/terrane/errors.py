"""The exceptions of Terrane. A query without a path is not an error: path.status has the reason."""


class Error(Exception):
    """Base class of Terrane's exceptions. The message states what is wrong and what was expected.

    code   the type of error: 'bad_value', 'unknown_name', 'cannot_open', 'bad_header', 'bad_letter', 'truncated', 'trailing',
           'too_large', 'unsupported' or 'cancelled'
    file   the file with the error; empty if there is none
    line   the line in the file, from 1; 0 if the error concerns no line
    """

    def __init__(self, message="", code="bad_value", file="", line=0):
        super().__init__(message)
        self.code = code
        self.file = file
        self.line = line


class BadValue(Error, ValueError):
    """An invalid value or an unknown name. Also a ValueError."""


class FileError(Error, OSError):
    """A file that cannot be read or written, or has invalid content. Also an OSError."""
