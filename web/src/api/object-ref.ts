/** The ref of a version of an object. @param project `entity/project` @param version a digest, an alias or `latest` */
export const objectRef = (project: string, name: string, version = 'latest'): string =>
  `weave:///${project}/object/${encodeURIComponent(name)}:${version}`
