declare module '#deployment/console' {
  /** The manifest this console was built from. */
  export const manifest: import('./manifest.ts').Manifest;
  /** Its plugins, each a chunk of its own. */
  export const plugins: readonly import('../kernel/plugin.ts').PluginEntry[];
}

declare module '#deployment/server' {
  /** The manifest this server was built from. */
  export const manifest: import('./manifest.ts').Manifest;
  /** Its plugins with their migrations. */
  export const plugins: readonly import('../server/plugin.ts').InstalledPlugin[];
}

declare module '*.sql' {
  const statements: string;
  export default statements;
}
