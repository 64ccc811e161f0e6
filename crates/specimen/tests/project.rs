//! Projects and plans, driven as people drive them: what is up to date is not searched again, plans travel, lies and half-written tasks
//! are refused, and workers may die.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value as Json;

/// A copy of the example project.
struct Project(tempfile::TempDir);

impl Project {
    fn new() -> Project {
        let folder = tempfile::tempdir().expect("a folder");
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/project");
        let copied = Command::new("cp").arg("-R").arg(format!("{}/.", example.display())).arg(folder.path()).status();
        assert!(copied.expect("cp starts").success());
        Project(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn specimen(&self, words: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_specimen"));
        command.args(words.split(' ')).current_dir(self.0.path()).output().expect("it starts")
    }

    /// What a verb prints, if it ends as expected.
    fn says(&self, words: &str, exit: i32) -> String {
        let output = self.specimen(words);
        let text = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
        assert_eq!(output.status.code(), Some(exit), "{words}: {text}");
        text
    }

    fn read(&self, name: &str) -> Json {
        serde_json::from_str(&fs::read_to_string(self.path(name)).expect("a file")).expect("JSON")
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(name)).expect("a file");
        assert!(text.contains(from), "{name} holds {from}");
        fs::write(self.path(name), text.replace(from, to)).expect("written");
    }

    /// The suites below a folder, without who made them.
    fn suites(&self, folder: &str) -> Vec<(String, Json)> {
        let mut found = Vec::new();
        let mut open = vec![self.path(folder)];
        while let Some(path) = open.pop() {
            for entry in fs::read_dir(&path).expect("a folder").flatten() {
                if entry.path().is_dir() {
                    open.push(entry.path());
                } else if entry.file_name() == "suite.json" {
                    let name = path.strip_prefix(self.path(folder)).expect("below").to_string_lossy().into_owned();
                    let text = fs::read_to_string(entry.path()).expect("a suite");
                    let mut suite: Json = serde_json::from_str(&text).expect("JSON");
                    suite.as_object_mut().expect("a suite").remove("provenance");
                    found.push((name, suite));
                }
            }
        }
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        found
    }
}

#[test]
fn only_what_has_changed_is_searched_again() {
    let project = Project::new();
    assert!(project.says("generate", 0).contains("searching 6 of 6 units"));
    assert!(project.says("generate", 0).contains("6 units up to date"));
    // A header concerns one unit, a specification another; a remark is a change, too.
    project.edit("src/queue.h", "CAPACITY 4", "CAPACITY 5");
    project.edit("requirements/closing.stl", "F[0,5]", "F[0,6]");
    let status = project.specimen("status --format json");
    assert_eq!(status.status.code(), Some(1), "something is stale");
    let status: Json = serde_json::from_slice(&status.stdout).expect("JSON");
    let of = |wanted: &str| {
        let units = status["units"].as_array().into_iter().flatten();
        units.filter(|unit| unit["health"] == wanted).filter_map(|unit| unit["unit"].as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of("stale"), ["src/queue.c/put", "requirements/closing.stl"]);
    assert!(project.says("generate", 0).contains("searching 2 of 6 units"));
    assert!(project.says("generate", 0).contains("6 units up to date"));
    // Other options make another suite.
    project.edit("specimen.toml", "\"condition\"", "\"branch\"");
    assert!(project.says("generate", 0).contains("searching 2 of 6 units"));
    assert_eq!(project.read("specimen-out/src/queue.c/put/suite.json")["criterion"], "branch");
    // A suite that somebody removed is drawn again.
    fs::remove_file(project.path("specimen-out/models/door.as/suite.json")).expect("it is there");
    fs::remove_dir_all(project.path("specimen-out/models/door.as")).expect("it is there");
    assert!(project.says("generate", 0).contains("searching 1 of 6 units"));
}

#[test]
fn excluded_and_accepted_goals_stand_in_every_report() {
    let project = Project::new();
    project.edit("src/limit.c", "position > 90", "position * position == 3");
    project.says("generate", 1);
    let before = project.says("status", 1);
    assert!(before.contains("`position * position == 3` is true"), "{before}");
    assert!(project.says("status --accept", 0).contains("accepted"));
    let after = project.says("generate", 0);
    assert!(after.contains("1 accepted, 1 excluded"), "{after}");
    for name in ["index.html", "junit.xml"] {
        let text = fs::read_to_string(project.path(&format!("specimen-out/{name}"))).expect("a report");
        assert!(text.contains("callers check the pointer"), "{name} gives the reason");
        assert!(text.contains("accepted by the baseline"), "{name} names what is accepted");
    }
    // A name survives an edit elsewhere in the file.
    project.edit("src/limit.c", "int limit(", "/* one\n   two */\nint limit(");
    assert!(project.says("generate", 0).contains("1 accepted, 1 excluded"));
}

#[test]
fn what_is_wrong_with_a_project_is_said() {
    let empty = tempfile::tempdir().expect("a folder");
    let project = Project(empty);
    assert!(project.says("generate", 2).contains("specimen init"));
    assert!(project.says("init", 0).contains("no specification and no program was found"));
    for (text, exit, words) in [
        ("", 3, "the project has no sets of files"),
        ("[[units]]\nfiles = ['*.bool'\n", 3, "project-syntax"),
        ("[[units]]\nfiles = ['*.bool']\nfunktions = 'all'\n", 3, "unknown field `funktions`"),
        ("[[units]]\nfiles = ['*.bool']\n", 3, "set 1 has no files"),
        ("[[units]]\nfiles = ['/etc/*.c']\n", 3, "leads out of the project's folder"),
        ("[[units]]\ndatabase = 'db.json'\n", 3, "project-database"),
    ] {
        fs::write(project.path("specimen.toml"), text).expect("written");
        let said = project.says("generate", exit);
        assert!(said.contains(words), "{text}: {said}");
    }
    fs::write(project.path("a.bool"), "input a: bool;\ndecision d = a;\n").expect("written");
    for (text, words) in [
        ("[[units]]\nfiles = ['*.bool']\n[units.options]\nunwind = 3\n", "`--unwind` is for C programs"),
        ("[[units]]\nfiles = ['*.bool']\n[units.options]\nseed = 'x'\n", "invalid value"),
        ("[[units]]\nfiles = ['a.bool']\n[[units]]\nfiles = ['*.bool']\n", "makes the unit `a.bool` once more"),
    ] {
        fs::write(project.path("specimen.toml"), text).expect("written");
        let said = project.says("status", 3);
        assert!(said.contains(words), "{text}: {said}");
    }
    // A file that is not a specification fails alone, and is not tried again until it changes.
    fs::write(project.path("b.bool"), "decision ???").expect("written");
    fs::write(project.path("specimen.toml"), "[[units]]\nfiles = ['*.bool']\n").expect("written");
    let said = project.says("generate", 3);
    assert!(said.contains("b.bool: failed: ") && said.contains("a.bool  up to date"), "{said}");
    assert!(project.says("generate", 3).contains("2 units up to date"));
    // A file that a compile database names and is not there is named.
    fs::write(project.path("f.c"), "int f(int x) { return X + (x > 3); }\n").expect("written");
    let here = project.0.path().display();
    let entry = |file: &str| {
        format!(r#"{{"directory": "{here}", "file": "{file}", "arguments": ["cc", "-DX=1", "-c", "{file}"]}}"#)
    };
    fs::write(project.path("db.json"), format!("[{}, {}]", entry("f.c"), entry("gone.c"))).expect("written");
    fs::write(project.path("specimen.toml"), "[[units]]\ndatabase = 'db.json'\n").expect("written");
    let said = project.says("generate", 0);
    assert!(said.contains("names files that are not there: gone.c") && said.contains("f.c/f"), "{said}");
}

#[test]
fn init_finds_what_is_there_and_replaces_nothing() {
    let project = Project::new();
    assert!(project.says("init", 4).contains("--force"));
    assert!(project.says("init --force", 0).contains("for 6 files"));
    project.says("generate", 0);
    let said = project.says("status", 0);
    assert!(said.contains("src/queue.c/put") && said.contains("6 units"), "{said}");
}

#[test]
fn a_plan_is_carried_out_in_tasks_and_gives_the_suites_of_the_project() {
    let project = Project::new();
    project.says("generate", 0);
    assert!(project.says("plan --out plan --force", 0).contains("6 tasks for 6 units"));
    assert!(project.says("plan --out plan --force", 4).contains("not empty"));
    let missing = project.says("merge plan", 1);
    assert!(missing.contains("task 3 (requirements/closing.stl) is missing: specimen work plan 3"), "{missing}");
    assert!(project.says("work plan 3", 0).contains("task 3: requirements/closing.stl done"));
    assert!(project.says("work plan 3", 0).contains("done before"));
    // Workers have nothing but the plan.
    let elsewhere = Project(tempfile::tempdir().expect("a folder"));
    fs::rename(project.path("plan"), elsewhere.path("plan")).expect("it moves");
    elsewhere.says("work plan", 0);
    elsewhere.says("merge plan --out merged", 0);
    assert_eq!(elsewhere.suites("merged"), project.suites("specimen-out"));
    assert!(elsewhere.says("work plan 99", 2).contains("they are 1 to 6"));
}

#[test]
fn results_that_lie_and_tasks_that_are_not_whole_are_refused() {
    let project = Project::new();
    project.says("plan --out plan", 0);
    let task = fs::read_to_string(project.path("plan/tasks/1.json")).expect("a task");
    fs::write(project.path("plan/tasks/1.json"), &task[..task.len() / 2]).expect("written");
    assert!(project.says("work plan 1", 3).contains("half written, or changed"));
    fs::write(project.path("plan/tasks/1.json"), &task).expect("written");
    project.says("work plan", 0);
    let place = "plan/results/6/suite.json";
    let suite = fs::read_to_string(project.path(place)).expect("a suite");
    project.edit(place, "\"release\": true", "\"release\": false");
    let refused = project.says("merge plan", 3);
    assert!(refused.contains("the result of task 6 (decisions/release.bool) is refused"), "{refused}");
    fs::write(project.path(place), suite).expect("written");
    project.says("merge plan", 0);
    project.edit("plan/plan.json", "specimen 0", "specimen 9");
    assert!(project.says("work plan 1", 3).contains("it was made by specimen 9"));
}

/// Whether a Python package is there; where tools are required, it must be.
fn has_dask() -> bool {
    let found = Command::new("python3").args(["-c", "import distributed"]).output();
    let found = found.is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("SPECIMEN_REQUIRE_DASK").is_none(), "`distributed` is not installed");
    found
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn a_dask_run_survives_a_worker_that_is_killed_and_gives_the_same_bytes() {
    if !has_dask() {
        eprintln!("skipped: the Python package `distributed` is not installed");
        return;
    }
    survives("dask", &["--workers", "3"], &[], |farm| {
        let parent = farm.to_string();
        let children = Command::new("pgrep").args(["--parent", &parent, "--full", "spawn_main"]).output();
        let children = children.expect("pgrep").stdout;
        if let Some(victim) = String::from_utf8_lossy(&children).lines().last() {
            let _ = Command::new("kill").args(["-KILL", victim]).status();
        }
    });
}

/// An engine carries out a plan, something is killed as soon as there is a result, and the suites are those of a plan without it.
fn survives(engine: &str, words: &[&str], variables: &[(&str, &Path)], kill: impl FnOnce(u32)) {
    let project = Project::new();
    project.says("plan --out plan --shards 2", 0);
    project.says("plan --out local --shards 2", 0);
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../farm/specimen-farm-{engine}"));
    let mut farm = Command::new(program)
        .arg(project.path("plan"))
        .args(["--specimen", env!("CARGO_BIN_EXE_specimen")])
        .args(words)
        .envs(variables.iter().copied())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("python starts");
    let results = project.path("plan/results");
    while farm.try_wait().expect("a process").is_none() && fs::read_dir(&results).map_or(0, Iterator::count) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    kill(farm.id());
    assert!(farm.wait().expect("a process").success());
    project.says("merge plan", 0);
    project.says("work local", 0);
    project.says("merge local", 0);
    assert_eq!(project.suites("plan/merged"), project.suites("local/merged"));
}

/// Processes that end with the test.
struct Daemons(Vec<std::process::Child>);

impl Drop for Daemons {
    fn drop(&mut self) {
        for daemon in &mut self.0 {
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// A free port on this machine.
fn port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// A Slurm cluster of three nodes on this machine, without authentication; its configuration comes first.
fn slurm(folder: &Path) -> Option<(PathBuf, Daemons)> {
    let host = Command::new("hostname").arg("-s").output().ok()?;
    let host = String::from_utf8_lossy(&host.stdout).trim().to_owned();
    let place = folder.display();
    let nodes: String = (1..=3)
        .map(|node| format!("NodeName=n{node} NodeHostname={host} NodeAddr=127.0.0.1 Port={} CPUs=1\n", port()))
        .collect();
    let text = format!(
        "ClusterName=test\nSlurmctldHost={host}(127.0.0.1)\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/none\n\
         CredType=cred/none\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nSelectType=select/linear\n\
         MpiDefault=none\nReturnToService=2\nSlurmctldPort={}\nSlurmdTimeout=10\nJobRequeue=1\n\
         StateSaveLocation={place}/state\nSlurmdSpoolDir={place}/spool_%n\nSlurmctldPidFile={place}/controller.pid\n\
         SlurmdPidFile={place}/%n.pid\n{nodes}PartitionName=all Nodes=n1,n2,n3 Default=YES MaxTime=INFINITE State=UP\n",
        port()
    );
    let configuration = folder.join("slurm.conf");
    fs::create_dir(folder.join("state")).expect("a folder");
    fs::write(&configuration, text).expect("written");
    let start = |program: &str, arguments: &[&str]| {
        let log = fs::File::create(folder.join(format!("{program}{}.log", arguments.join("")))).expect("a file");
        let mut command = Command::new(program);
        command.arg("-D").args(arguments).env("SLURM_CONF", &configuration).stdout(std::process::Stdio::null());
        command.stderr(log).spawn().ok()
    };
    let mut daemons = Daemons(vec![start("slurmctld", &["-i"])?]);
    for node in ["n1", "n2", "n3"] {
        daemons.0.push(start("slurmd", &["-N", node])?);
    }
    for _ in 0..120 {
        let info =
            Command::new("sinfo").args(["-h", "-t", "idle", "-o", "%D"]).env("SLURM_CONF", &configuration).output();
        if info.is_ok_and(|info| String::from_utf8_lossy(&info.stdout).trim() == "3") {
            return Some((configuration, daemons));
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    None
}

#[test]
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
fn a_slurm_run_survives_a_node_that_is_killed_and_gives_the_same_bytes() {
    let installed = Command::new("slurmctld").arg("-V").output().is_ok_and(|output| output.status.success());
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    assert!(installed || std::env::var_os("SPECIMEN_REQUIRE_SLURM").is_none(), "Slurm is not installed");
    if !installed || !root {
        eprintln!("skipped: Slurm is not installed, or we are not root");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let Some((configuration, mut daemons)) = slurm(folder.path()) else { panic!("the cluster does not come up") };
    // The second node dies.
    survives("slurm", &["--poll", "0.5"], &[("SLURM_CONF", configuration.as_path())], |_| {
        let _ = daemons.0[2].kill();
    });
}
