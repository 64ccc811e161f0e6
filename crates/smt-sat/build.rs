//! Links the C++ runtime statically, so that a built program runs where no libstdc++ is installed.
//!
//! The bindings of the SAT solver ask the linker for `-lstdc++`. The linker takes whatever it finds first, so a
//! folder that holds the static archive alone is put in front of the system's.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CXX");
    let Some(archive) = archive() else { return };
    let Some(folder) = env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    let copy = folder.join("libstdc++.a");
    if fs::copy(&archive, &copy).is_ok() {
        println!("cargo:rustc-link-search=native={}", folder.display());
    }
}

/// The static archive of the C++ runtime, if the compiler has one (others than GNU's name it differently).
fn archive() -> Option<PathBuf> {
    let compiler = cc::Build::new().cpp(true).try_get_compiler().ok()?;
    let answer = Command::new(compiler.path()).arg("-print-file-name=libstdc++.a").output().ok()?;
    let path = String::from_utf8(answer.stdout).ok()?;
    let path = Path::new(path.trim());
    path.is_absolute().then(|| path.to_path_buf())
}
