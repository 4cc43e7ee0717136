declare module 'semver' {
  const semver: import('#shared/plugin-fit').Ranges;
  export default semver;
}
