/** A setting as the user says it, or its default, and as the open workspace does. */
export interface SaidSetting {
	readonly own: unknown;
	readonly workspace: unknown;
}

/** Which servers are read. */
export interface SourceSettings {
	/** Whether servers of a source are read: of a user's settings, or of a workspace's settings and files. */
	readonly isRead: (source: string, isOfWorkspace: boolean) => boolean;
	/** The patterns for names that are left out. */
	readonly ignoredOf: (isOfWorkspace: boolean) => readonly string[];
}

/**
 * Reads the settings `mcpHost.configurationSources` and `mcpHost.ignoredServers`. A workspace may leave out servers of its
 * own: it takes none of the user's away, whose name its own could take, and brings back nothing that they left out (CFG-36).
 */
export function readSourceSettings(sources: SaidSetting, ignored: SaidSetting): SourceSettings {
	return {
		isRead: (source, isOfWorkspace) =>
			[sources.own, ...(isOfWorkspace && sources.workspace !== undefined ? [sources.workspace] : [])].every((said) =>
				textsOf(said).includes(source),
			),
		ignoredOf: (isOfWorkspace) => [...textsOf(ignored.own), ...(isOfWorkspace ? textsOf(ignored.workspace) : [])],
	};
}

function textsOf(said: unknown): readonly string[] {
	return Array.isArray(said) ? said.filter((text) => typeof text === "string") : [];
}
