export declare function installReason(folder: string): string | undefined;
export declare function stampInstall(folder: string): void;
