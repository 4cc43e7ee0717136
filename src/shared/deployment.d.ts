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

declare module '#deployment/versions' {
  /** Versions of what this console lends plugins from elsewhere. */
  export const versions: Readonly<Record<'#kernel' | 'react' | 'react-dom' | 'rxjs' | 'dayjs' | '@arco-design/web-react', string>>;
}

declare module '#deployment/remotes' {
  /** Fetches what loads plugins from elsewhere; absent where the manifest of the build says nothing of `remotes`. */
  export const fetchLoader: (() => Promise<typeof import('../kernel/remote/load-remote.ts')>) | undefined;
}

declare module '*.sql' {
  const statements: string;
  export default statements;
}
