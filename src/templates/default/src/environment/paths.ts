/** Places in the sandbox. Karotte copies the data directories of this folder there. */

/** Home and working directory of the student. */
export const WORK_DIRECTORY = "/workdir";
/** From `student_data/`: the student may change it. */
export const STUDENT_DATA = "/workdir/data";
/** From `shared_data/`: the student may read it. */
export const SHARED_DATA = "/workdir/shared";
/** From `root_data/`: closed to the student. Answers belong here. */
export const ROOT_DATA = "/root_data";
/** From `intermediate_data/`: closed to the student too; tasks put things here during a run. */
export const INTERMEDIATE_DATA = "/intermediate_data";
