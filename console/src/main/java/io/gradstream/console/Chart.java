// Copyright 2026 Gradstream authors.
// SPDX-License-Identifier: Apache-2.0
package io.gradstream.console;

import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Figures to draw: panels one below the other over one horizontal axis, whose places run from 0 to 1.
 *
 * @param title       above all panels.
 * @param panelHeight of each panel in pixels, its title included.
 * @param panels      from top to bottom.
 * @param ticks       labels of the horizontal axis.
 * @param bands       shaded through all panels.
 * @param markers     lines through all panels, with labels above them.
 */
public record Chart(
    String title, int panelHeight, List<Panel> panels, List<Tick> ticks, List<Band> bands, List<Marker> markers)
{
    private static final int SINGLE_PANEL_HEIGHT = 440;

    /** The form of a panel's figures, and the scale that goes with it. */
    public enum Form
    {
        /** Lines on a linear scale. */
        LINES,
        /** Lines with a point at each figure, on a logarithmic scale: figures of 0 or less are left out. */
        POINTS,
        /** Bars from 0. */
        BARS
    }

    /** Figures on one vertical scale. */
    public record Panel(String title, Form form, List<Series> series)
    {
    }

    /** One line, or the bars of one colour. A figure that is not finite is left out. */
    public record Series(String name, double[] places, double[] figures)
    {
    }

    /** A label of the horizontal axis. */
    public record Tick(double place, String label)
    {
    }

    /** A shaded part of the horizontal axis. */
    public record Band(double from, double to)
    {
    }

    /** A vertical line with a label. */
    public record Marker(double place, String label, Color color)
    {
    }

    /**
     * One panel over categories.
     *
     * @param form   of the figures.
     * @param series a figure for each category, NaN where there is none.
     * @throws IllegalArgumentException if a series has more or fewer figures than there are categories.
     */
    public static Chart ofCategories(
        final String title, final Form form, final List<String> categories, final Map<String, List<Double>> series)
    {
        final double[] places = new double[categories.size()];
        final List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < places.length; i++)
        {
            places[i] = (i + 0.5) / places.length;
            ticks.add(new Tick(places[i], categories.get(i)));
        }
        final List<Series> drawn = new ArrayList<>();
        series.forEach((name, figures) ->
        {
            if (figures.size() != places.length)
            {
                throw new IllegalArgumentException("invalid series " + name + ": has " + figures.size() +
                    " values for " + places.length + " places");
            }
            drawn.add(new Series(name, places, figures.stream().mapToDouble(Double::doubleValue).toArray()));
        });

        return new Chart(
            title, SINGLE_PANEL_HEIGHT, List.of(new Panel("", form, drawn)), ticks, List.of(), List.of());
    }
}
