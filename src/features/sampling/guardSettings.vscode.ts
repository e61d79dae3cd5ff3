import * as vscode from "vscode";
import { guardLimits, type GuardLimits } from "./guard.ts";

/** The person's limits on what servers ask; read whenever they are needed. */
export function guardSettings(): { readonly current: GuardLimits } {
	return {
		get current() {
			const settings = vscode.workspace.getConfiguration("mcpHost.sampling");
			return guardLimits(settings.get<unknown>("loopLimit"), settings.get<unknown>("reviewTimeout"));
		},
	};
}
