import type { AppAskServices } from "./appAsks.ts";
import type { AppCallServices } from "./appCalls.ts";
import type { DeniedDomains } from "./appsSetting.ts";
import type { HostFacts } from "./appContext.ts";
import type { PageDifference } from "./formerPages.ts";
import type { KnownApps } from "./knownApps.ts";

/** The dependencies of an open app on the host. */
export interface AppServices extends AppCallServices, AppAskServices, HostFacts {
	readonly known: KnownApps;
	/** The domains that no app may reach. */
	readonly deniedDomains: () => DeniedDomains;
	/** Makes VS Code compare two pages. */
	readonly showDifference: (difference: PageDifference) => void;
	/** The script of `media/appFrame`. */
	readonly preamble: () => Promise<string>;
}
