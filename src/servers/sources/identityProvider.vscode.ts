import { configuredProvider, type ConfiguredProvider } from "../definitions/identityProviderSetting.ts";
import { readEditorSettings } from "./editorSettings.vscode.ts";

/** The identity provider that is configured in this window now; undefined if none is. */
export async function identityProvider(): Promise<ConfiguredProvider | undefined> {
	return configuredProvider(await readEditorSettings());
}
