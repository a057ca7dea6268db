# Recast, Detour and DetourTileCache, which come without a package file of their own.
#   Recast_FOUND
#   Recast_INCLUDE_DIR   has recastnavigation/DetourNavMesh.h
#   Recast_LIBRARIES     by plain names, so that what is installed says nothing of where they were found
find_path(Recast_INCLUDE_DIR recastnavigation/DetourNavMesh.h)
set(Recast_LIBRARIES Recast DetourTileCache Detour)
set(recast_required Recast_INCLUDE_DIR)
foreach(header Recast DetourNavMeshBuilder DetourNavMeshQuery DetourTileCache)
    find_file(Recast_${header}_HEADER recastnavigation/${header}.h HINTS ${Recast_INCLUDE_DIR})
    list(APPEND recast_required Recast_${header}_HEADER)
    mark_as_advanced(Recast_${header}_HEADER)
endforeach()
foreach(library IN LISTS Recast_LIBRARIES)
    find_library(Recast_${library}_LIBRARY ${library})
    list(APPEND recast_required Recast_${library}_LIBRARY)
    mark_as_advanced(Recast_${library}_LIBRARY)
endforeach()
mark_as_advanced(Recast_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Recast REQUIRED_VARS ${recast_required})
