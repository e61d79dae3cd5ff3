import { withCancel } from "../../base/notify.vscode.ts";
import { oneLine } from "../../base/text.ts";
import { networkSettings } from "../../protocol/http/networkSettings.vscode.ts";
import type { AddServersPanel } from "../entries/addServers.vscode.ts";

/**
 * Asks a domain which servers it offers (MCP Server Cards, experimental), and shows them before any is added; where it offers
 * none, shows its address.
 * @throws HostError whose message says why it cannot be asked.
 */
export async function openDomain(address: URL, panel: Pick<AddServersPanel, "open">): Promise<void> {
	const [{ findCards, sourcesOfCards }, { openNetwork }] = await Promise.all([
		import("./serverCards.ts"),
		import("../../protocol/http/network.ts"),
	]);
	const network = openNetwork(networkSettings());
	try {
		const found = await withCancel(`Asking ${oneLine(address.host, 80)} for its servers`, (signal) =>
			findCards(address, network, signal),
		);
		if (found !== undefined) await panel.open(sourcesOfCards(address, found), "Add Server");
	} finally {
		await network.close();
	}
}
