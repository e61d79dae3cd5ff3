import type { ForeignServers } from "../../servers/formats/foreignServer.ts";
import { longestLink, ownInstallLink, readInstallLink } from "../../servers/formats/installLinks.ts";
import { withRemarks } from "../../servers/formats/remarks.ts";
import type { CandidateSource } from "./candidateSource.ts";

const heading = "Install Link";
const remark =
	"A link requested this. The author of the link chose its contents. Compare them with the server's own page.";

/**
 * The contents of an install link of MCP Host, from the query that VS Code passes on; an invalid one is refused with
 * the reason. Never throws; nothing is opened or fetched.
 */
export function readLinkSource(query: string): CandidateSource {
	const refuse = (reason: string): ForeignServers => ({ format: heading, servers: [], refused: [{ reason }] });
	if (query.length > longestLink)
		return { heading, found: refuse("The link is too long to be an install link for a server.") };
	const found = readInstallLink(ownInstallLink(query)) ?? refuse("The link contains no server.");
	return { heading, found: withRemarks(found, remark) };
}
