import * as vscode from "vscode";
import { externalAddress, openAddress } from "../../protocol/authorization/signIn.vscode.ts";
import { type ElicitationDependencies, ElicitationService } from "./service.ts";
import { showWaiting } from "./waiting.vscode.ts";

/** Makes what answers elicitations, with the editor's browser and clipboard. */
export function elicitationService(
	services: Omit<ElicitationDependencies, "externalAddress" | "openExternal" | "copy" | "showWaiting">,
): ElicitationService {
	return new ElicitationService({
		...services,
		externalAddress,
		openExternal: openAddress,
		copy: async (text) => vscode.env.clipboard.writeText(text),
		showWaiting,
	});
}
