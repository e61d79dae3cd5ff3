// Lists the processes that Wine knows as PowerShell answers the product: number, parent, and when it was made, which Wine
// does not report.
const { execFileSync } = require("node:child_process");

const wmic = String.raw`C:\windows\system32\wbem\wmic.exe`;
const answer = execFileSync(wmic, ["process", "get", "ParentProcessId,ProcessId"]).toString("utf16le");
for (const row of answer.split(/\r?\n/)) {
	const [parent, pid] = row.trim().split(/\s+/).map(Number);
	if (pid > 0) console.log(`${pid} ${parent} 1`);
}
