/**
 * The watchdog of Windows. Its text is run by a Node of its own (`watchdog.ts`), so it uses nothing of this module. It
 * reads what the script for POSIX reads, and ends the processes and their descendants when the input ends without a
 * farewell. A process that was made after its number was told, or a child that is older than its parent, is a stranger
 * with a number that was given out again (security.md PRC-14).
 */
export function watchOnWindows(): void {
	const { execFile } = process.getBuiltinModule("node:child_process");
	const known = new Map<string, number>();
	let rest = "";
	process.stdin.on("data", (chunk: Buffer) => {
		const lines = (rest + chunk.toString()).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			const [verb, id = ""] = line.split(" ");
			if (verb === "+") known.set(id, Date.now());
			else if (verb === "-") known.delete(id);
			else process.exit(0);
		}
	});
	process.stdin.on("error", () => undefined);
	process.stdin.on("close", () => {
		// Their input has ended as well: most leave by themselves.
		setTimeout(endAll, 1000);
	});

	function endAll(): void {
		if (known.size === 0) return;
		const query =
			"Get-CimInstance Win32_Process | ForEach-Object { '{0} {1} {2}' -f $_.ProcessId, $_.ParentProcessId, " +
			"([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds() }";
		const args = ["-NoProfile", "-NonInteractive", "-Command", query];
		execFile("powershell.exe", args, { maxBuffer: 1 << 24, windowsHide: true }, (_error, stdout) => {
			const rows = stdout.split("\n").map((row) => row.trim().split(" "));
			const ids = rows.filter(([id = "", , made]) => Number(made) <= (known.get(id) ?? 0)).map(([id]) => id);
			const madeAt = new Map(rows.map(([id, , made]) => [id, Number(made)]));
			// The list grows while it is walked, until the leaves are reached.
			for (const id of ids) {
				const isChild = ([, parent, made]: string[]): boolean =>
					parent === id && Number(made) >= (madeAt.get(id) ?? Number.POSITIVE_INFINITY);
				for (const row of rows) if (isChild(row) && !ids.includes(row[0])) ids.push(row[0]);
			}
			const targets = ids.flatMap((id) => (id === undefined ? [] : ["/PID", id]));
			if (targets.length > 0) execFile("taskkill", ["/F", ...targets], { windowsHide: true }, () => undefined);
		});
	}
}
