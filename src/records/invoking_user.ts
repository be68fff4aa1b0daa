/** Gives what was made under sudo to the user who typed the command; else it is theirs already. */
export async function giveToInvokingUser(path: string): Promise<void> {
  const uid = Number(Deno.env.get("SUDO_UID"));
  const gid = Number(Deno.env.get("SUDO_GID"));
  if (Deno.uid() !== 0 || !Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0) return;
  await Deno.chown(path, uid, gid);
}
