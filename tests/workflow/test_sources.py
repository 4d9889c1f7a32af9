"""Downloads and archives through the whole workflow, over real HTTP on the loopback address."""

import hashlib
import io
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from morpos.io.sheets import read_sheet
from tests.workflow.harness import ROOT, Workspace

REFERENCE = "the old boat\nleft early\n"
ARCHIVE = "statmt.org/wmt08/wmt08-eval.tar.gz"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address under which it is served."""
    folder = tmp_path / "served"
    folder.mkdir()
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield folder, f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def space_for(tmp_path: Path, mirror: str, registry: dict[str, str]) -> Workspace:
    folder = tmp_path / "work"
    folder.mkdir()
    rows = [f"{path}\t{sha}\thttp://127.0.0.1:9/{path}\t\t" for path, sha in registry.items()]
    space = Workspace(folder)
    header = "path\tsha256\turl\tmirror_sha256\tnote"
    space.write("registry.tsv", "\n".join([header, *rows]) + "\n")
    space.config = {"base": "data", "download": {"registry": "registry.tsv", "mirror": mirror}}
    return space


def test_testsets_are_downloaded_and_scored(tmp_path: Path, served: tuple[Path, str]) -> None:
    folder, address = served
    files = {
        "set/ref.en": REFERENCE,
        "set/out/out.A": REFERENCE,
        "set/out/out.B": "a boat\nleft\n",
    }
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    registry = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
    space = space_for(tmp_path, address, registry)
    space.testset("d", "set/ref.en", pattern="set/out/out.{system}")

    # One file is not there, another is not what the registry says: nothing is scored.
    (folder / "set/out/out.B").rename(folder / "set/out/away")
    (folder / "set/ref.en").write_text("something else\n")
    failed = space.snakemake(check=False)
    output = failed.stdout + failed.stderr
    assert failed.returncode != 0
    assert f"{address}/set/out/out.B" in output
    assert "404" in output
    assert registry["set/ref.en"] in output
    assert not (space.folder / "results" / "scores").exists()

    (folder / "set/out/away").rename(folder / "set/out/out.B")
    (folder / "set/ref.en").write_text(REFERENCE)
    space.snakemake("--quiet", "all")
    assert space.table("scores/d.tsv")["system"].tolist() == ["A", "B"]
    # Another mirror is no reason to do anything anew.
    space.config["download"] |= {"mirror": f"{address}/elsewhere"}
    assert space.jobs() == {}


def test_testsets_of_an_archive_are_left_out_until_it_is_there(
    tmp_path: Path, served: tuple[Path, str]
) -> None:
    folder, address = served
    (folder / ARCHIVE).parent.mkdir(parents=True)
    with tarfile.open(folder / ARCHIVE, "w:gz") as archive:
        for name, text in {
            "wmt08-eval/src-ref/test2008.en": REFERENCE,
            "wmt08-eval/submissions/de-en.test2008.A": REFERENCE,
            "wmt08-eval/submissions/de-en.test2008.B": "a boat\nleft\n",
            "wmt08-eval/submissions/fr-en.test2008.C": "the\nboat\n",
        }.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    space = space_for(tmp_path, address, {ARCHIVE: ""})
    space.write("data/here/ref.en", REFERENCE)
    for system in "ABC":
        space.write(f"data/here/{system}.txt", f"the old {system}\nleft\n")
    space.write("data/human.tsv", "system\tscore\nA\t3\nB\t2\nC\t1\n")
    judged: dict[str, Any] = {"judgments": "human.tsv", "judgments_format": "system"}
    space.testset("here", "here/ref.en", pattern="here/{system}.txt", **judged)
    below = "unpacked/statmt.org/wmt08/wmt08-eval.tar.gz/wmt08-eval"
    space.testset(
        "archived",
        f"{below}/src-ref/test2008.en",
        pattern=f"{below}/submissions/de-en.test2008.{{system}}",
        optional="yes",
        **judged,
    )
    space.snakemake("--quiet", "all")
    summary, left_out = space.table("summary.tsv"), space.table("summary.left_out.tsv")
    assert set(summary["of"]) == {2}
    assert "archived" in left_out["testset"].tolist()
    note = left_out.set_index("testset").loc["archived", "note"]
    assert "there is no file data/unpacked/statmt.org/wmt08/wmt08-eval.tar.gz" in note

    space.snakemake("--quiet", "all", "--", "archives")
    space.snakemake("--quiet", "all")
    assert space.table("scores/archived.tsv")["system"].tolist() == ["A", "B"]
    lock = (space.folder / "data" / "download.lock.tsv").read_text()
    assert hashlib.sha256((folder / ARCHIVE).read_bytes()).hexdigest() in lock


def sgml(kind: str, system: str, text: str) -> str:
    segments = "\n".join(f'<seg id="{i}">{s}</seg>' for i, s in enumerate(text.splitlines(), 1))
    return (
        f'<{kind} setid="set" srclang="any" trglang="en">\n'
        f'<doc sysid="{system}" docid="d1">\n{segments}\n</doc>\n</{kind}>\n'
    )


def test_official_archives_in_the_layouts_of_their_readers(
    tmp_path: Path, served: tuple[Path, str]
) -> None:
    """One Czech-English test set of each year, from archives of our own making."""
    folder, address = served
    other = "a boat\nleft\n"
    wmt08 = {
        "wmt08-eval/src-ref/newstest2008.en": REFERENCE,
        "wmt08-eval/submissions/cz-en.newstest2008.A": REFERENCE,
        "wmt08-eval/submissions/cz-en.newstest2008.B": other,
    }
    wmt09 = {
        "wmt09-eval/source+ref-xml/newstest2009-ref.en.xml": sgml("refset", "ref", REFERENCE),
        "wmt09-eval/submissions-xml/cz-en/cz-en.newstest2009.A.xml": sgml("tstset", "A", REFERENCE),
        "wmt09-eval/submissions-xml/cz-en/cz-en.newstest2009.B.xml": sgml("tstset", "B", other),
    }
    start = "wmt10-data/xml"
    name = "newssyscombtest2010.cz-en"
    wmt10 = {
        f"{start}/ref/{name}.ref.xml": sgml("refset", "ref", REFERENCE),
        f"{start}/tst-primary/cz-en/{name}.A.xml": sgml("tstset", "A", REFERENCE),
        f"{start}/tst-secondary/cz-en/{name}.B.xml": sgml("tstset", "B", other),
    }
    for path, files in (("wmt08/wmt08-eval", wmt08), ("wmt09/wmt09-eval", wmt09)):
        target = folder / "statmt.org" / f"{path}.tar.gz"
        target.parent.mkdir(parents=True)
        with tarfile.open(target, "w:gz") as archive:
            for member, text in files.items():
                info = tarfile.TarInfo(member)
                info.size = len(text.encode())
                archive.addfile(info, io.BytesIO(text.encode()))
    target = folder / "statmt.org" / "wmt10" / "results" / "wmt10-data.zip"
    target.parent.mkdir(parents=True)
    with zipfile.ZipFile(target, "w") as packed:
        for member, text in wmt10.items():
            packed.writestr(member, text)

    archives = (
        "wmt08/wmt08-eval.tar.gz",
        "wmt09/wmt09-eval.tar.gz",
        "wmt10/results/wmt10-data.zip",
    )
    space = space_for(tmp_path, address, {f"statmt.org/{archive}": "" for archive in archives})
    for row in read_sheet(str(ROOT / "config/wmt08-10/testsets-official.tsv"), "testsets"):
        if row["testset"].endswith("-news.cs-en"):
            del row["line"], row["judgments"], row["judgments_format"]
            space.testsets.append(row)
    # Without their files, all test sets are missing: that stops, and says why.
    stopped = space.snakemake(check=False)
    assert "none of the 3 optional test sets has its files" in stopped.stdout + stopped.stderr
    rows, space.testsets = space.testsets, []
    space.write("here.txt", REFERENCE)
    space.write("data/here.txt", REFERENCE)
    space.testset("here", "here.txt", {"A": "here.txt"})
    space.snakemake("--quiet", "all", "--", "archives")
    space.testsets, space.systems = rows, []
    space.snakemake("--quiet", "all")
    for row in rows:
        scores = space.table(f"scores/{row['testset']}.tsv").set_index("system")
        assert scores.index.tolist() == ["A", "B"]
        assert scores.loc["A", "WORDF"] > scores.loc["B", "WORDF"]
