// The program of island.c in Rust.
use std::ffi::{CStr, CString};
use std::os::raw::c_char;
use std::ptr;
use terrane_c::*;

fn text(at: *const c_char) -> String {
    unsafe { CStr::from_ptr(at) }.to_string_lossy().into_owned()
}

fn preset(name: &str, error: *mut terrane_error) -> *mut terrane_profile {
    let name = CString::new(name).unwrap();
    unsafe { terrane_profile_preset(name.as_ptr(), error) }
}

fn main() {
    let island = terrane_generator { width: 256, height: 256, seed: 7, ..Default::default() };
    let mut error = terrane_error::default();
    unsafe {
        let world = terrane_world_generate(&island, ptr::null(), &mut error);
        assert!(!world.is_null(), "{}", text(error.message.as_ptr()));
        let mut map = terrane_world_info::default();
        terrane_world_get_info(world, &mut map, ptr::null_mut());
        println!("map: checksum {}", map.checksum);

        let deer = preset("deer", ptr::null_mut());
        let planner = terrane_planner_new(world, ptr::null_mut());
        let path = terrane_path_new(ptr::null_mut());
        let mut options = terrane_find_options::default();
        for (to, from) in options.method.iter_mut().zip(b"astar") {
            *to = *from as c_char;
        }
        let (from, to) = (terrane_cell { x: 60, y: 140 }, terrane_cell { x: 180, y: 130 });
        terrane_find(planner, from, to, deer, &options, path, ptr::null_mut());
        let mut info = terrane_path_info::default();
        terrane_path_get_info(path, &mut info, ptr::null_mut());
        let mut cells = vec![terrane_cell::default(); info.cells as usize];
        let count = terrane_path_cells(path, cells.as_mut_ptr(), cells.len());
        let sum = cells.iter().fold(0u32, |sum, cell| sum.wrapping_mul(31).wrapping_add((cell.x * 256 + cell.y) as u32));
        let (status, method) = (text(terrane_status_text(info.status)), text(terrane_path_method(path)));
        println!("{} by {}: {} cells, cost {}, checksum {}", status, method, count, info.cost, sum);

        let moose = preset("moose", &mut error);
        println!("{}, code {}: {}", if moose.is_null() { "no profile" } else { "a profile" }, error.code, text(error.message.as_ptr()));
        terrane_path_free(path);
        terrane_planner_free(planner);
        terrane_profile_free(deer);
        terrane_world_free(world);
    }
}
