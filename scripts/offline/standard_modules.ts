/** Names every module of `@std` that Karotte uses; set-up asks JSR for them through this file. */
import "@std/assert";
import "@std/cli";
import "@std/path";
