/**
 * `npm run apps:conformance`: the requirements of MCP Apps for hosts (`catalogue.ts`), checked from inside the frame by
 * an app of a server of ours, and by the messages to its server and the user's view. Writes
 * test-output/apps-conformance.json; the last line is one line of JSON. Ends with an error when a requirement is not
 * met, unless it is left out on purpose.
 */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { launchBrowser } from "../../editor/browser.ts";
import { writeReport, type TestOutcome } from "../../report.ts";
import { catalogue } from "./catalogue.ts";
import { checkHost, type Finding } from "./checkHost.ts";

const root = resolve(import.meta.dirname, "../../..");
await promisify(execFile)(process.execPath, ["esbuild.mjs"], { cwd: root });
const browser = await launchBrowser();
const findings = await checkHost(browser);
await browser.close();

const outcomes = [...catalogue.map(outcomeOf), ...unknown()];
writeReport(join(root, "test-output", "apps-conformance.json"), "apps:conformance", outcomes);
for (const { fullName, status, failureMessages } of outcomes) {
	if (status === "failed") console.error(`${fullName}\n  ${failureMessages.join("\n  ")}`);
}
for (const { id, left } of catalogue) if (left !== undefined) console.log(`Left out, ${id}: ${left}`);
const count = (status: TestOutcome["status"]): number => outcomes.filter((one) => one.status === status).length;
if (count("failed") > 0) process.exitCode = 1;
console.log(JSON.stringify({ passed: count("passed"), total: outcomes.length, left: count("pending") }));

function outcomeOf({ id, clause, text, left }: (typeof catalogue)[number]): TestOutcome {
	const fullName = `${id} (${clause}): ${text}`;
	if (left !== undefined) return { fullName, status: "pending", failureMessages: [left] };
	const found = findings.filter((finding) => finding.id === id);
	const wrong = found.filter(({ isMet }) => !isMet).map(({ seen }) => `Seen: ${seen}`);
	if (found.length > 0 && wrong.length === 0) return { fullName, status: "passed", failureMessages: [] };
	return { fullName, status: "failed", failureMessages: found.length === 0 ? ["It was not reported."] : wrong };
}

/** Reports beside the catalogue, such as an error of the app. */
function unknown(): readonly TestOutcome[] {
	const others = findings.filter((finding: Finding) => catalogue.every(({ id }) => id !== finding.id));
	return others.map(({ id, seen }) => ({ fullName: id, status: "failed", failureMessages: [seen] }));
}
