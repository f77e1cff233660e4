"""A FIDO2 key in software: what `ssh-keygen -Y sign` makes with such a key, and a signature that nobody touched it for.

No key of that kind is at hand where tests run, and its owner's finger is not either. The format is OpenSSH's
(PROTOCOL.u2f, PROTOCOL.sshsig); openssl signs, and the real ssh-keygen checks.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
from pathlib import Path

KIND, APPLICATION = b"sk-ssh-ed25519@openssh.com", b"ssh:"


def _text(value: bytes) -> bytes:
    return len(value).to_bytes(4, "big") + value


class SoftwareKey:
    """One key, in a directory."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir()
        self._file = directory / "private"
        self._run("genpkey", "-algorithm", "ed25519", "-out", str(self._file))
        self._public = self._run("pkey", "-in", str(self._file), "-pubout", "-outform", "DER")[-32:]

    def _run(self, *words: str) -> bytes:
        return subprocess.run(["openssl", *words], check=True, capture_output=True).stdout

    def _blob(self) -> bytes:
        return _text(KIND) + _text(self._public) + _text(APPLICATION)

    def public(self) -> str:
        """As in a file of signers."""
        return f"{KIND.decode()} {base64.b64encode(self._blob()).decode()}"

    def sign(self, text: str, namespace: str, *, touched: bool = True) -> str:
        head = _text(namespace.encode()) + _text(b"") + _text(b"sha512")
        message = b"SSHSIG" + head + _text(hashlib.sha512(text.encode()).digest())
        flags = bytes([int(touched)]) + (7).to_bytes(4, "big")  # and a counter
        to_sign = self._file.with_name("to_sign")
        to_sign.write_bytes(hashlib.sha256(APPLICATION).digest() + flags + hashlib.sha256(message).digest())
        raw = self._run("pkeyutl", "-sign", "-rawin", "-inkey", str(self._file), "-in", str(to_sign))
        data = b"SSHSIG" + (1).to_bytes(4, "big") + _text(self._blob()) + head + _text(_text(KIND) + _text(raw) + flags)
        lines = base64.encodebytes(data).decode()
        return f"-----BEGIN SSH SIGNATURE-----\n{lines}-----END SSH SIGNATURE-----\n"
