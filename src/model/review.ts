/** Reviews of one task after which it is accepted with what is still found. */
export const maxReviews = 3;
