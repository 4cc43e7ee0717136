declare module 'semver' {
  const semver: import('#shared/plugin-compatibility').Ranges;
  export default semver;
}
