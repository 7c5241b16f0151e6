// Where the page is in a tour.
export interface TourPlace {
  readonly id: string;
  readonly stop: number;
}
