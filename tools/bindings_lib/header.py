"""Parses capi/terrane_c.h: the plain C between `extern "C" {` and its end. Refuses everything that it does not know.

A comment describes the declaration on its line, or else the one on the next line. A function without a comment shares that of the function
above it, unless a blank line or another declaration is in between. A comment before a blank line describes its section.
"""
import re

TOKEN = re.compile(r"""
    (?P<comment>/\*.*?\*/) | (?P<define>\#define\ [^\n]*) | (?P<name>[A-Za-z_]\w*) | (?P<number>-?(0x[0-9a-fA-F]+|[0-9]+)(u|ull)?)
    | (?P<mark>[(){}\[\],;=*]) | (?P<newline>\n) | (?P<blank>[ ]+)""", re.VERBOSE | re.DOTALL)
SCALARS = {"void", "char", "uint8_t", "int32_t", "uint32_t", "uint64_t", "size_t", "float", "double", "int8_t", "int16_t", "uint16_t", "int64_t"}
BEGIN, END = '#ifdef __cplusplus\nextern "C" {\n#endif\n', "#ifdef __cplusplus\n}\n#endif\n"


class Refused(Exception):
    """The header, or its description, is not as expected."""


class Token:
    def __init__(self, kind, text, line, leads):
        self.kind, self.text, self.line, self.leads = kind, text, line, leads  # leads: the first of its line
        self.last_line = line + text.count("\n")


def tokenize(text, line):
    tokens, at, leads = [], 0, True
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise Refused(f"terrane_c.h:{line}: unexpected: {text[at:at + 40].splitlines()[0]}")
        at = found.end()
        if found.lastgroup == "newline":
            line, leads = line + 1, True
        elif found.lastgroup == "define":  # its comment stays a token
            body = found[0].split("/*")[0]
            at -= len(found[0]) - len(body)
            tokens.append(Token("define", body.rstrip(), line, leads))
            leads = False
        elif found.lastgroup != "blank":
            tokens.append(Token(found.lastgroup, found[0], line, leads))
            line, leads = tokens[-1].last_line, False
    return tokens


def words_of(comment):
    lines = [re.sub(r"^\s*(/\*|\*(?!/))? ?|\s*\*/$", "", line).strip() for line in comment.split("\n")]
    return re.sub(r"(\S)\n(?=\S)", r"\1 ", "\n".join(lines)).strip()


class Parser:
    def __init__(self, text):
        begin, end = text.find(BEGIN), text.find(END)
        if begin < 0 or end < begin:
            raise Refused('terrane_c.h: expected the declarations in extern "C" { }')
        first = text.count("\n", 0, begin + len(BEGIN)) + 1
        self.tokens, self.at = tokenize(text[begin + len(BEGIN):end], first), 0
        self.groups, self.constants, self.enums, self.handles, self.callbacks, self.structs, self.functions = [], [], [], [], [], [], []
        self.codes, self.names = {}, {}  # the line after the typedef of an integer -> its name; every named type -> what it is
        self.shared = (None, -1)  # the comment of the function above, and the line after it

    # --- Tokens ---

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else Token("end", "the end", 0, True)

    def fail(self, expected):
        raise Refused(f"terrane_c.h:{self.peek().line}: found '{self.peek().text[:40]}', expected {expected}")

    def take(self, *texts):
        token = self.peek()
        if token.text not in texts:
            self.fail(" or ".join(texts))
        self.at += 1
        return token

    def accept(self, text):
        return self.peek().text == text and bool(self.take(text))

    def word(self, kind="name", what="a name"):
        if self.peek().kind != kind:
            self.fail(what)
        self.at += 1
        return self.tokens[self.at - 1].text

    def number(self):
        return int(self.word("number", "a number").rstrip("ul"), 0)

    def leading_comment(self):
        """The comment above a member; "" if there is none."""
        text = ""
        while self.peek().kind == "comment" and self.peek().leads:
            text = words_of(self.peek().text)
            self.at += 1
        return text

    def trailing_comment(self):
        token = self.peek()
        if token.kind != "comment" or token.leads:
            return ""
        self.at += 1
        return words_of(token.text)

    # --- Types ---

    def type(self):
        """A type without its declarator, normalised: "const terrane_world*"."""
        const = "const " if self.accept("const") else ""
        name = self.word()
        if name not in SCALARS and name not in self.names:
            self.at -= 1
            self.fail("a known type")
        stars = ""
        while self.peek().text in ("*", "const"):
            stars += "*" if self.take("*", "const").text == "*" else " const"
        return const + name + stars

    def array(self):
        length = None
        if self.accept("["):
            length = self.number()
            self.take("]")
        return length

    def declarator(self, of):
        """NAME, NAME[N], or the rest of a function pointer: (TERRANE_CALL* NAME)(...)."""
        if self.accept("("):
            for mark in ("TERRANE_CALL", "*"):
                self.take(mark)
            name = self.word()
            self.take(")")
            return {"name": name, "type": "callback", "returns": {"type": of}, "parameters": self.parameters()}
        made = {"name": self.word(), "type": of}
        length = self.array()
        if length is not None:
            made["array"] = length
        return made

    def parameters(self):
        self.take("(")
        if self.accept("void"):
            if self.accept(")"):
                return []
            self.at -= 1
        found = [self.declarator(self.type())]
        while self.accept(","):
            found.append(self.declarator(self.type()))
        self.take(")")
        return found

    # --- Declarations ---

    def run(self):
        doc, ends = "", -1  # the last comment, and the line that it ends above
        while self.peek().kind != "end":
            token = self.peek()
            if token.kind == "comment":
                self.at += 1
                section = re.fullmatch(r"/\* --- (.*?) -+ \*/", token.text)
                if section:
                    self.groups.append({"name": section[1], "doc": ""})
                elif self.peek().line != token.last_line + 1:
                    if not self.groups:
                        self.fail("a section before comments")
                    self.groups[-1]["doc"] = (self.groups[-1]["doc"] + "\n\n" + words_of(token.text)).strip()
                else:
                    doc, ends = words_of(token.text), token.last_line + 1
                continue
            self.declaration(doc if token.line == ends else "")
        return self

    def declaration(self, doc):
        token = self.peek()
        if not self.groups:
            self.fail("a section: /* --- NAME --- */")
        if token.kind == "define":
            self.constant(doc)
        elif token.text == "TERRANE_API":
            self.function(doc)
        elif token.text == "enum":
            self.enum(doc)
        elif self.accept("typedef"):
            self.typedef(doc)
        else:
            self.fail("#define, TERRANE_API, enum or typedef")

    def constant(self, doc):
        found = re.fullmatch(r"#define (TERRANE_[A-Z0-9_]+) +((?:0x[0-9a-f]+|[0-9]+)(?:u|ull)?)", self.peek().text)
        if not found:
            self.fail("#define TERRANE_NAME NUMBER, or NUMBERu")
        self.at += 1
        value = int(found[2].rstrip("ul"), 0)
        kind = "uint64_t" if value > 0xffffffff else "int32_t" if found[2][-1] not in "ul" else "uint32_t"
        self.constants.append({"name": found[1], "type": kind, "value": value, "doc": self.trailing_comment() or doc, "group": self.group()})

    def group(self):
        return self.groups[-1]["name"]

    def function(self, doc):
        token = self.take("TERRANE_API")
        self.take("(")
        returns = {"type": self.type()}
        self.take(")")
        name = self.word()
        parameters = self.parameters()
        line = self.take(";").line
        own = self.trailing_comment()
        if not doc and self.shared[1] == token.line:
            doc = self.shared[0]
        self.shared = (doc, line + 1)
        self.functions.append({"name": name, "group": self.group(), "doc": own or doc, "returns": returns, "parameters": parameters})

    def enum(self, doc):
        begin = self.take("enum").line
        self.take("{")
        values = []
        while not self.accept("}"):
            above = self.leading_comment()
            name = self.word()
            self.take("=")
            values.append({"name": name, "value": self.number(), "doc": ""})
            if self.peek().text != "}":
                self.take(",")
            values[-1]["doc"] = self.trailing_comment() or above
        self.take(";")
        name = self.codes.get(begin)
        self.enums.append({"name": name, "type": self.names.get(name, "uint32_t"), "group": self.group(), "doc": self.trailing_comment() or doc,
                           "values": values})

    def typedef(self, doc):
        if self.accept("struct"):
            name = self.word()
            if self.accept("{"):
                self.struct(name, doc)
                return
            self.take(name)
            self.take(";")
            self.names[name] = "handle"
            self.handles.append({"name": name, "group": self.group(), "doc": self.trailing_comment() or doc})
            return
        of = self.type()
        made = self.declarator(of)
        line = self.take(";").line
        doc = self.trailing_comment() or doc
        if made["type"] == "callback":
            self.names[made["name"]] = "callback"
            made.pop("type")
            self.callbacks.append({"name": made["name"], "group": self.group(), "doc": doc, **made})
        elif of in ("int32_t", "uint32_t"):  # the type of the enum on the next line
            self.names[made["name"]] = of
            self.codes[line + 1] = made["name"]
        else:
            self.fail("typedef of a struct, a function pointer, int32_t or uint32_t")

    def struct(self, name, doc):
        fields = []
        while not self.accept("}"):
            above = self.leading_comment()
            of = self.type()
            added = [self.declarator(of)]
            while self.accept(","):
                if of.endswith("*"):
                    self.fail("one pointer per declaration")
                added.append(self.declarator(of))
            self.take(";")
            own = self.trailing_comment() or above
            fields += [{**field, "doc": own} for field in added]
        self.take(name)
        self.take(";")
        self.names[name] = "struct"
        self.structs.append({"name": name, "group": self.group(), "doc": self.trailing_comment() or doc, "fields": fields})
