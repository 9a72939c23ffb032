import { bucketConformance } from '../../test/bucket-conformance.ts';

bucketConformance();
