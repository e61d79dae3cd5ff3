/** An open folder of this machine. */
export interface LocalFolder {
	readonly name: string;
	readonly path: string;
}

/** The open folder that a command line belongs to. */
export interface FolderFit {
	readonly folder: LocalFolder;
	/** The argument that is a file of the folder, as it was written; absent where a manifest of the folder fits. */
	readonly file?: string;
	/** The name of the project, or that of its file; absent if neither identifies the server. */
	readonly name?: string;
}
