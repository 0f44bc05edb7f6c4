//! The plots of the report, as SVG.

use super::analysis::{Analysis, Finding};
use plotters::chart::MeshStyle;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;

type Mesh<'a, 'b, 'c> = MeshStyle<'a, 'b, RangedCoordf64, RangedCoordf64, SVGBackend<'c>>;
type Drawing<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Result<T> = std::result::Result<T, Box<dyn Error>>;

const INK: RGBColor = RGBColor(34, 40, 49);
const FAINT: RGBColor = RGBColor(214, 219, 226);
const BLUE: RGBColor = RGBColor(46, 104, 178);
const RED: RGBColor = RGBColor(196, 61, 54);
const GREY: RGBColor = RGBColor(122, 130, 141);
const TEXT: (&str, i32) = ("sans-serif", 17);
const SMALL: (&str, i32) = ("sans-serif", 16);
/// The width of plots. They can be read on a phone.
pub const WIDTH: u32 = 640;

/// Draws a plot. Readers and tests find it by its id.
pub fn svg(
    id: &str,
    size: (u32, u32),
    draw: impl FnOnce(&Drawing<'_>) -> Result<()>,
) -> std::result::Result<String, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        let drawn = area
            .fill(&WHITE)
            .map_err(Into::into)
            .and_then(|()| draw(&area));
        drawn.map_err(|error| format!("plot {id}: {error}"))?;
        area.present()
            .map_err(|error| format!("plot {id}: {error}"))?;
    }
    let mark = format!("<svg id=\"{id}\" role=\"img\" ");
    Ok(text.replacen("<svg ", &mark, 1))
}

/// The style of all axes.
fn styled<'a, 'b, 'c, 'd>(mesh: &'d mut Mesh<'a, 'b, 'c>) -> &'d mut Mesh<'a, 'b, 'c> {
    mesh.light_line_style(WHITE)
        .bold_line_style(FAINT)
        .axis_style(INK)
        .label_style(TEXT)
        .axis_desc_style(TEXT)
}

fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// The value of each pattern against its rarity, the line, and the names of patterns far from the line.
pub fn prices(area: &Drawing<'_>, analysis: &Analysis) -> Result<()> {
    let seen: Vec<(&Finding, f64, f64)> = analysis
        .patterns
        .iter()
        .filter_map(|finding| {
            let height = analysis.scale.height(finding.price?);
            Some((finding, finding.rarity?, height))
        })
        .collect();
    let (_, right) = span(seen.iter().map(|point| point.1));
    let (lowest, top) = span(seen.iter().map(|point| point.2));
    // Prices below one have heights below zero.
    let bottom = lowest.min(0.0);
    let (right, top) = (right.max(4.0) * 1.12, top.max(1.0) * 1.12);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(56)
        .y_label_area_size(66)
        .build_cartesian_2d(0.0..right, bottom..top)?;
    styled(
        chart
            .configure_mesh()
            .x_desc("rarity: −log₂ of the share of winning hands")
            .y_desc(format!("value in {}", analysis.unit.name()))
            .y_label_formatter(&|&height| {
                let price = analysis.scale.price(height);
                let places = usize::from(price < 10.0 && price.fract().abs() > 0.01);
                format!("{price:.places$}")
            }),
    )
    .draw()?;
    if let Some(line) = analysis.line {
        // The part of the line that lies within the plot.
        let at = |height: f64| (height - line.base) / line.slope;
        let (mut first, mut last) = (0.0, right);
        if line.slope.abs() > 1e-9 {
            let (low, high) = span([at(bottom), at(top)].into_iter());
            (first, last) = (low.max(0.0), high.min(right));
        }
        let points = [first, last].map(|x| (x, line.at(x)));
        chart.draw_series(LineSeries::new(points, GREY.stroke_width(2)))?;
    }
    chart.draw_series(seen.iter().map(|&(finding, x, y)| {
        let colour = if finding.may_change() { BLUE } else { GREY };
        Circle::new((x, y), 4, colour.filled())
    }))?;
    let named: Vec<&Finding> = analysis.outliers().into_iter().take(8).collect();
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for &(finding, x, y) in &seen {
        if !named.iter().any(|other| other.id == finding.id) {
            continue;
        }
        let to_left = x > right * 0.6;
        let width = right * (finding.id.len() as f64 + 3.0) * 9.0 / f64::from(WIDTH);
        let (from, to) = if to_left {
            (x - width, x)
        } else {
            (x, x + width)
        };
        // Names must not overlap.
        let mut at = y;
        let hides = |at: f64, &(a, b, height): &(f64, f64, f64)| {
            a < to && from < b && (height - at).abs() < top * 0.045
        };
        while taken.iter().any(|other| hides(at, other)) {
            at += top * 0.045;
        }
        taken.push((from, to, at));
        if at > y {
            // A name that had to move gets a line to its point.
            chart.draw_series(LineSeries::new([(x, y), (x, at)], FAINT.stroke_width(1)))?;
        }
        let (shift, anchor) = if to_left {
            (-8, HPos::Right)
        } else {
            (8, HPos::Left)
        };
        let style = TextStyle::from(SMALL)
            .color(&INK)
            .pos(Pos::new(anchor, VPos::Center));
        let place = EmptyElement::at((x, at)) + Text::new(finding.id.clone(), (shift, 0), style);
        chart.draw_series(std::iter::once(place))?;
    }
    Ok(())
}

/// Bars of counts from the first to the last place.
pub fn histogram(
    area: &Drawing<'_>,
    counts: &[(f64, u64)],
    width: f64,
    x: &str,
    y: &str,
) -> Result<()> {
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    let share = |count: u64| 100.0 * count as f64 / all.max(1) as f64;
    let (left, right) = span(counts.iter().map(|(place, _)| *place));
    let (left, right) = if all == 0 {
        (0.0, 1.0)
    } else {
        (left, right + width)
    };
    let top = counts
        .iter()
        .map(|(_, count)| share(*count))
        .fold(1.0, f64::max)
        * 1.08;
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(56)
        .y_label_area_size(66)
        .build_cartesian_2d(left..right, 0.0..top)?;
    styled(chart.configure_mesh().disable_x_mesh().x_desc(x).y_desc(y)).draw()?;
    chart.draw_series(counts.iter().map(|&(place, count)| {
        let gap = width * 0.08;
        Rectangle::new(
            [(place + gap, 0.0), (place + width - gap, share(count))],
            BLUE.filled(),
        )
    }))?;
    Ok(())
}

/// A value with its interval for each seat.
pub fn seats(area: &Drawing<'_>, analysis: &Analysis) -> Result<()> {
    let ends = analysis
        .seats
        .iter()
        .flat_map(|(_, e)| [e.low, e.high, 0.0]);
    let (low, high) = span(ends);
    let room = (high - low).max(1e-6) * 0.12;
    let count = analysis.seats.len();
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(56)
        .y_label_area_size(72)
        .build_cartesian_2d(-0.5..count as f64 - 0.5, low - room..high + room)?;
    let name = |x: &f64| {
        let i = x.round() as usize;
        let exact = (x - x.round()).abs() < 0.01 && *x > -0.01;
        let letter = analysis.seats.get(i).filter(|_| exact);
        letter.map_or(String::new(), |(letter, _)| letter.to_string())
    };
    styled(
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(2 * count + 1)
            .x_label_formatter(&name)
            .x_desc("seat; E is the dealer")
            .y_desc("points a deal"),
    )
    .draw()?;
    chart.draw_series(LineSeries::new(
        [(-0.5, 0.0), (count as f64 - 0.5, 0.0)],
        GREY.stroke_width(1),
    ))?;
    for (i, (_, estimate)) in analysis.seats.iter().enumerate() {
        let x = i as f64;
        let ends = [(x, estimate.low), (x, estimate.high)];
        chart.draw_series(LineSeries::new(ends, BLUE.stroke_width(3)))?;
        let point = Circle::new((x, estimate.value), 6, BLUE.filled());
        chart.draw_series(std::iter::once(point))?;
    }
    Ok(())
}

/// Horizontal bars, with names before them and words after them. Bars of negative values go to the left.
pub fn bars(area: &Drawing<'_>, rows: &[(String, f64, String)], x: &str) -> Result<()> {
    let (low, high) = span(rows.iter().map(|row| row.1).chain([0.0]));
    let width = (high - low).max(1e-9);
    let count = rows.len().max(1);
    // Names stand left of the plot, words right of the longest bar.
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .margin_left(200)
        .x_label_area_size(48)
        .build_cartesian_2d(
            low - width * if low < 0.0 { 0.4 } else { 0.0 }..high + width * 0.4,
            0.0..count as f64,
        )?;
    styled(
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .x_desc(x),
    )
    .draw()?;
    for (i, (name, value, words)) in rows.iter().enumerate() {
        let y = (count - 1 - i) as f64;
        let colour = if *value < 0.0 { RED } else { BLUE };
        let bar = Rectangle::new([(0.0, y + 0.15), (*value, y + 0.85)], colour.filled());
        chart.draw_series(std::iter::once(bar))?;
        let side = if *value < 0.0 {
            HPos::Right
        } else {
            HPos::Left
        };
        let shift = if *value < 0.0 { -6 } else { 6 };
        let style = TextStyle::from(SMALL)
            .color(&INK)
            .pos(Pos::new(side, VPos::Center));
        let label =
            EmptyElement::at((*value, y + 0.5)) + Text::new(words.clone(), (shift, 0), style);
        chart.draw_series(std::iter::once(label))?;
        let (_, height) = area.dim_in_pixel();
        let plot = f64::from(height) - 48.0 - 16.0;
        let place = 8.0 + plot * (i as f64 + 0.5) / count as f64;
        let style = TextStyle::from(SMALL)
            .color(&INK)
            .pos(Pos::new(HPos::Right, VPos::Center));
        area.draw(&Text::new(name.clone(), (194, place as i32), style))?;
    }
    Ok(())
}
