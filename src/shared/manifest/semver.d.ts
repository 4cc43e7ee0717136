declare module 'semver' {
  const semver: import('#shared/unfit-plugins').Ranges;
  export default semver;
}
